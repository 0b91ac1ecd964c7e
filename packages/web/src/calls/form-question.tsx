import { type FormEvent, useId, useMemo, useState } from 'react';
import { useConnection } from '../app/connection.ts';
import type { Form } from '../session/entries.ts';
import { spelledOut } from '../text/plain-text.ts';
import { Deadline } from './deadline.tsx';
import { type Field, readContent, readFields } from './form-fields.ts';

/** What a tool wants to know, to be filled in. */
export function FormQuestion({ form, sessionId }: { readonly form: Form; readonly sessionId: string }) {
  const { client, attempt } = useConnection();
  const fields = useMemo(() => readFields(form.schema), [form.schema]);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const answer = (action: 'accept' | 'decline' | 'cancel') =>
    attempt(
      client.answerForm(sessionId, form.formId, {
        action,
        ...(action === 'accept' && { content: readContent(fields, values) }),
      }),
    );
  function send(event: FormEvent): void {
    event.preventDefault();
    void answer('accept');
  }
  return (
    <form className="question" onSubmit={send}>
      <p className="question-title">
        <strong>{spelledOut(form.name)}</strong> of plugin <strong>{spelledOut(form.plugin)}</strong> asks:
      </p>
      <p>{spelledOut(form.message)}</p>
      {form.expiresAt !== undefined && (
        <p className="dim">
          <Deadline expiresAt={form.expiresAt} />
        </p>
      )}
      <div className="fields">
        {fields.map((field) => (
          <FormField
            key={field.name}
            field={field}
            value={values[field.name] ?? field.initial}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
      </div>
      <div className="answers">
        <button type="submit" className="button primary">
          Send
        </button>
        <button type="button" className="button" onClick={() => void answer('decline')}>
          Decline
        </button>
        <button type="button" className="button" onClick={() => void answer('cancel')}>
          Cancel
        </button>
      </div>
    </form>
  );
}

interface FormFieldProps {
  readonly field: Field;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function FormField({ field, value, onChange }: FormFieldProps) {
  const id = useId();
  return (
    <div className={field.kind === 'checkbox' ? 'field checkbox' : 'field'}>
      <label htmlFor={id}>
        {spelledOut(field.title)}
        {field.isRequired && field.kind !== 'checkbox' && <span className="dim"> (needed)</span>}
      </label>
      <FieldInput id={id} field={field} value={value} onChange={onChange} />
      {field.description !== '' && <span className="dim">{spelledOut(field.description)}</span>}
    </div>
  );
}

function FieldInput({ id, field, value, onChange }: FormFieldProps & { readonly id: string }) {
  if (field.kind === 'checkbox')
    return (
      <input
        id={id}
        type="checkbox"
        checked={value === 'true'}
        onChange={(event) => onChange(String(event.target.checked))}
      />
    );
  if (field.kind === 'choice')
    return (
      <select id={id} value={value} required={field.isRequired} onChange={(event) => onChange(event.target.value)}>
        <option value="">Choose</option>
        {field.choices.map((choice) => (
          <option key={choice} value={choice}>
            {spelledOut(choice)}
          </option>
        ))}
      </select>
    );
  return (
    <input
      id={id}
      type={field.kind === 'number' ? 'number' : 'text'}
      step="any"
      value={value}
      required={field.isRequired}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
