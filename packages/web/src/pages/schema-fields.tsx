import { isJsonObject, type JsonObject } from '@toolpost/protocol';
import { plainLine } from '../text/plain-text.ts';

interface SchemaFieldsProps {
  readonly schema: JsonObject;
  readonly primaryArg: string | undefined;
}

/** The properties of an object schema, as a person reads them. */
export function SchemaFields({ schema, primaryArg }: SchemaFieldsProps) {
  const properties = Object.entries(isJsonObject(schema.properties) ? schema.properties : {});
  const required = Array.isArray(schema.required) ? schema.required : [];
  if (properties.length === 0) return <p className="dim">None</p>;
  return (
    <dl className="schema">
      {properties.map(([name, property]) => (
        <div key={name}>
          <dt>
            <code>{plainLine(name)}</code> <span className="dim">{typeOf(property)}</span>
            {required.includes(name) && <span className="tag">needed</span>}
            {name === primaryArg && <span className="tag">shown beside the name</span>}
          </dt>
          <dd>{descriptionOf(property)}</dd>
        </div>
      ))}
    </dl>
  );
}

function typeOf(property: unknown): string {
  if (!isJsonObject(property)) return '';
  if (Array.isArray(property.enum)) return property.enum.map((value) => JSON.stringify(value)).join(' | ');
  const type = Array.isArray(property.type) ? property.type.join(' | ') : String(property.type ?? 'any');
  return type === 'array' ? `array of ${typeOf(property.items) || 'any'}` : plainLine(type);
}

function descriptionOf(property: unknown): string {
  return isJsonObject(property) && typeof property.description === 'string' ? plainLine(property.description) : '';
}
