/** The name by which the transpiled JavaScript knows a function, field or flag: `move-point` is `movePoint`. */
export function guestName(name: string): string {
  const [first = '', ...rest] = name.split('-').map((word) => word.toLowerCase());
  return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
