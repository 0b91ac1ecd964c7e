import { HostError, shape } from '@toolpost/protocol';
import { parseJsonText } from './parse-json-text.ts';
import { type SettingsFile, settingsShape } from './settings-schema.ts';

/**
 * Checks the text of a configuration file. `prepare` may drop keys before they are read.
 * @throws HostError CONFIG_INVALID with the file and the dotted path of every bad value.
 */
export function readSettingsText(
  content: string,
  file: string,
  prepare: (value: unknown) => unknown = (value) => value,
): { settings: SettingsFile; warnings: string[] } {
  const parsed = parseJsonText(content);
  if ('problem' in parsed) throw new HostError('CONFIG_INVALID', `${file} is ${parsed.problem}`);
  const findings: shape.Findings = { problems: [], warnings: [] };
  const settings = settingsShape.read(prepare(parsed.value), '', findings);
  if (!settings || findings.problems.length > 0) {
    throw new HostError('CONFIG_INVALID', `${file}: ${shape.joinFindings(findings.problems)}`);
  }
  return { settings, warnings: findings.warnings.map((warning) => `${file}: ${warning}`) };
}
