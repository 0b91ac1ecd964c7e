/** Where the frame draws. */
export interface Places {
  readonly root: HTMLElement;
  /** One line about what became of an action. */
  readonly notice: HTMLElement;
}

export function createPlaces(): Places {
  const root = document.createElement('main');
  root.id = 'root';
  const notice = document.createElement('p');
  notice.setAttribute('role', 'status');
  document.body.append(root, notice);
  return { root, notice };
}
