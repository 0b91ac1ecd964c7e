/** `${NAME}` or `${NAME:-what to take when it is not set}`. */
const VARIABLE = /\$\{([^}:]+?)(?::-([^}]*))?\}/g;

/**
 * Fills in the variables of a text, in the way other MCP clients do.
 * @throws Error that names a variable that is not set and has no default.
 */
export function expandVariables(text: string, variables: Readonly<Record<string, string | undefined>>): string {
  return text.replace(VARIABLE, (_whole, name: string, otherwise: string | undefined) => {
    // An empty variable is as good as none where there is a default, as in a shell.
    const given = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = otherwise === undefined ? given : given || otherwise;
    if (value === undefined) throw new Error(`the variable ${name} is not set; \${${name}:-...} gives it a default`);
    return value;
  });
}
