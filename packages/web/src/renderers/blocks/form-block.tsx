import type { FormBlock as Form, FormField, JsonObject } from '@toolpost/protocol';
import { type FormEvent, useId, useState } from 'react';
import { plainLine } from '../../text/plain-text.ts';

/** Brings what was filled in to the plugin; what it says of it is shown. */
export type SubmitForm = (action: string, data: JsonObject) => Promise<SubmitAnswer | undefined>;

export interface SubmitAnswer {
  readonly text: string;
  readonly isError: boolean;
}

interface FormBlockProps {
  readonly form: Form;
  readonly onSubmit: SubmitForm;
}

type Values = Readonly<Record<string, string>>;

/** A form of a tool. It can be sent as often as its reader likes. */
export function FormBlock({ form, onSubmit }: FormBlockProps) {
  const [values, setValues] = useState<Values>(() => initialValues(form.fields));
  const [isSending, setSending] = useState(false);
  const [answer, setAnswer] = useState<SubmitAnswer>();
  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    setSending(true);
    setAnswer(undefined);
    try {
      setAnswer(await onSubmit(form.action, readData(form.fields, values)));
    } finally {
      setSending(false);
    }
  }
  return (
    <form className="block-form" onSubmit={(event) => void send(event)}>
      <div className="fields">
        {form.fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
      </div>
      <div className="answers">
        <button type="submit" className="button" disabled={isSending}>
          {plainLine(form.submit ?? '') || 'Send'}
        </button>
        <output className={answer?.isError ? 'form-answer is-bad' : 'form-answer'}>
          {answer && `${answer.isError ? '✗' : '✓'} ${plainLine(answer.text)}`}
        </output>
      </div>
    </form>
  );
}

function initialValues(fields: readonly FormField[]): Values {
  return Object.fromEntries(fields.map(({ name, value }) => [name, value === undefined ? '' : String(value)]));
}

/** What was filled in, in the types of its fields; a number that was left empty is left out. */
function readData(fields: readonly FormField[], values: Values): JsonObject {
  const data: [string, unknown][] = [];
  for (const { name, kind } of fields) {
    const value = values[name] ?? '';
    if (kind === 'checkbox') data.push([name, value === 'true']);
    else if (kind !== 'number') data.push([name, value]);
    else if (value !== '') data.push([name, Number(value)]);
  }
  return Object.fromEntries(data);
}

interface FieldProps {
  readonly field: FormField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Field({ field, value, onChange }: FieldProps) {
  const id = useId();
  const { kind, label, name, required = false } = field;
  return (
    <div className={kind === 'checkbox' ? 'field checkbox' : 'field'}>
      <label htmlFor={id}>
        {plainLine(label ?? name)}
        {required && kind !== 'checkbox' && <span className="dim"> (needed)</span>}
      </label>
      <FieldInput id={id} field={field} value={value} onChange={onChange} />
    </div>
  );
}

function FieldInput({ id, field, value, onChange }: FieldProps & { readonly id: string }) {
  const { kind, options = [], placeholder, required = false } = field;
  const common = { id, value, required, placeholder: plainLine(placeholder ?? '') };
  if (kind === 'checkbox')
    return (
      <input
        id={id}
        type="checkbox"
        checked={value === 'true'}
        onChange={(event) => onChange(String(event.target.checked))}
      />
    );
  if (kind === 'select')
    return (
      <select id={id} value={value} required={required} onChange={(event) => onChange(event.target.value)}>
        <option value="">Choose</option>
        {[...new Set(options)].map((option) => (
          <option key={option} value={option}>
            {plainLine(option)}
          </option>
        ))}
      </select>
    );
  if (kind === 'textarea') return <textarea {...common} rows={3} onChange={(event) => onChange(event.target.value)} />;
  const type = kind === 'number' ? 'number' : 'text';
  return <input {...common} type={type} step="any" onChange={(event) => onChange(event.target.value)} />;
}
