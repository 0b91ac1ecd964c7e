import { Component, type ReactNode } from 'react';

interface BoundaryProps {
  /** What could not be shown, as in "this call". */
  readonly what: string;
  readonly children: ReactNode;
}

/** A view that throws takes itself down, never the page around it. */
export class Boundary extends Component<BoundaryProps, { readonly error: Error | undefined }> {
  override state: { readonly error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(thrown: unknown): { error: Error } {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div className="broken" role="alert">
        <p>
          Toolpost could not show {this.props.what}: {error.message}
        </p>
        <button type="button" className="button" onClick={() => this.setState({ error: undefined })}>
          Try again
        </button>
      </div>
    );
  }
}
