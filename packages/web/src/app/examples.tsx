const EXAMPLES = {
  demo: ['greet Bob', 'what is the weather in Oslo', 'draw a chart of apples 3, pears 5'],
  other: ['What can you do here?', 'List the files here and say what they are', 'Draw a chart of apples 3, pears 5'],
} as const;

interface ExamplesProps {
  readonly isDemo: boolean;
  readonly onChoose: (text: string) => Promise<boolean>;
}

/** What one could ask for; each is sent when it is clicked. */
export function Examples({ isDemo, onChoose }: ExamplesProps) {
  return (
    <>
      <ul className="examples" aria-label="Examples">
        {EXAMPLES[isDemo ? 'demo' : 'other'].map((text) => (
          <li key={text}>
            <button type="button" className="button" onClick={() => void onChoose(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
      {isDemo && (
        <p className="dim demo-note">
          “demo” is no language model: rules that search the tools by your words, offline and without a key. Another one
          is chosen in the menu of a session, or as <code>"model"</code> in config.json.
        </p>
      )}
    </>
  );
}
