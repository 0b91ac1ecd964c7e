import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { IconButton } from '../ui/icon-button.tsx';

interface ComposerProps {
  readonly isRunning: boolean;
  /** Resolves with whether it was taken; what was not stays written. */
  readonly onSend: (text: string) => Promise<boolean>;
  readonly onCancel: () => void;
}

/** Where a person writes. Enter sends, Shift-Enter makes a line. */
export function Composer({ isRunning, onSend, onCancel }: ComposerProps) {
  const [text, setText] = useState('');
  const [isSending, setSending] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);

  async function send(): Promise<void> {
    if (text.trim() === '' || isSending) return;
    setSending(true);
    const written = text;
    setText('');
    if (!(await onSend(written))) setText(written);
    setSending(false);
    area.current?.focus();
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    void send();
  }

  function onKeyDown(event: KeyboardEvent): void {
    // While an input method composes a word, Enter belongs to it.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  }

  return (
    <form className="composer" onSubmit={onSubmit}>
      <textarea
        ref={area}
        aria-label="Message"
        placeholder="Ask for something…"
        rows={1}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {isRunning && <IconButton className="stop" icon="stop" label="Cancel the turn (Esc)" onClick={onCancel} />}
      <IconButton className="send" icon="send" label="Send" type="submit" disabled={text.trim() === ''} />
    </form>
  );
}
