interface WordsProps {
  readonly text: string;
  readonly isError: boolean;
}

/** What a call says where it draws nothing. */
export function Words({ text, isError }: WordsProps) {
  return (
    <p className={isError ? 'words is-bad' : 'words'} role={isError ? 'alert' : undefined}>
      {isError && '✗ '}
      {text}
    </p>
  );
}
