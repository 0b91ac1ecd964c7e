import { type FormEvent, type ReactNode, useId } from 'react';
import { Button } from './button.tsx';
import { dataAttributes } from './data-attributes.ts';

interface FieldOption {
  readonly value: string;
  readonly label?: string;
}

interface Field {
  readonly name: string;
  readonly label?: string;
  readonly type?: 'text' | 'number' | 'email' | 'date' | 'password' | 'textarea' | 'select' | 'checkbox' | 'range';
  readonly options?: readonly (string | FieldOption)[];
  readonly value?: string | number | boolean;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  readonly hint?: string;
}

interface FormProps {
  readonly fields?: readonly Field[];
  /** What is told to the tool's plugin when it is sent, with what was filled in. */
  readonly action?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly submitLabel?: string;
  readonly onSubmit?: (values: Readonly<Record<string, unknown>>) => void;
  readonly children?: ReactNode;
}

export function Form({ fields = [], action, data, submitLabel = 'Send', onSubmit, children }: FormProps) {
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    onSubmit?.(Object.fromEntries(new FormData(event.currentTarget)));
  }
  return (
    <form className="ui-form" {...dataAttributes(action, data)} onSubmit={submit}>
      {fields.map((field) => (
        <FieldRow key={field.name} field={field} />
      ))}
      {children}
      <div>
        <Button type="submit" variant="primary">
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}

function FieldRow({ field }: { readonly field: Field }) {
  const id = useId();
  const isCheckbox = field.type === 'checkbox';
  return (
    <div className={isCheckbox ? 'ui-field is-checkbox' : 'ui-field'}>
      <label htmlFor={id}>
        {field.label ?? field.name}
        {field.required && <span aria-hidden="true"> *</span>}
      </label>
      <Control id={id} field={field} />
      {field.hint !== undefined && (
        <span className="ui-dim" id={`${id}-hint`}>
          {field.hint}
        </span>
      )}
    </div>
  );
}

function Control({ id, field }: { readonly id: string; readonly field: Field }) {
  const { name, type = 'text', options = [], value, placeholder, required, min, max, step, hint } = field;
  const shared = { id, name, required, ...(hint !== undefined && { 'aria-describedby': `${id}-hint` }) };
  const start = typeof value === 'boolean' ? undefined : value;
  if (type === 'textarea') return <textarea {...shared} rows={4} placeholder={placeholder} defaultValue={start} />;
  if (type === 'checkbox') return <input {...shared} type="checkbox" value="true" defaultChecked={value === true} />;
  if (type !== 'select')
    return <input {...shared} {...{ type, placeholder, min, max, step }} defaultValue={start} autoComplete="off" />;
  return (
    <select {...shared} defaultValue={start}>
      {options.map((option) => {
        const { value: key, label = key } = typeof option === 'string' ? { value: option } : option;
        return (
          <option key={key} value={key}>
            {label}
          </option>
        );
      })}
    </select>
  );
}
