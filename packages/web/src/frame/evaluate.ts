const SLOT = 'toolpostEvaluated';

let mayEvaluate: boolean | undefined;

/**
 * Text as a function with these parameters; its first line is the third one of what an error names. Where the policy of
 * whoever shows the page lets nothing be evaluated, as that of MCP Apps does, it becomes a script of the page.
 * @throws SyntaxError
 */
export function makeFunction(parameters: readonly string[], body: string): (...given: unknown[]) => unknown {
  if (allowsEvaluation()) return new Function(...parameters, body) as (...given: unknown[]) => unknown;
  const made = runScript(`\nglobalThis.${SLOT} = function (${parameters.join(', ')}) {\n${body}\n};`);
  return made as (...given: unknown[]) => unknown;
}

/** Runs text in the window's own scope, and gives the value of `expression` in it. @throws what it throws */
export function evaluateInWindow(text: string, expression: string): unknown {
  // Not this module's names, but the window's.
  const evaluate = Reflect.get(globalThis, 'eval') as (text: string) => unknown;
  if (allowsEvaluation()) return evaluate(`${text}\n;${expression}`);
  return runScript(`${text}\n;globalThis.${SLOT} = ${expression}`);
}

function allowsEvaluation(): boolean {
  mayEvaluate ??= tryToEvaluate();
  return mayEvaluate;
}

function tryToEvaluate(): boolean {
  try {
    return new Function('return true')() === true;
  } catch {
    return false;
  }
}

/** A script in the page runs when it is put there; what goes wrong in it is an event, and thrown from here. */
function runScript(text: string): unknown {
  let failure: unknown;
  const onError = (event: ErrorEvent) => {
    failure = event.error ?? new Error(event.message);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const script = document.createElement('script');
  script.textContent = text;
  addEventListener('error', onError, true);
  try {
    document.head.append(script);
  } finally {
    removeEventListener('error', onError, true);
    script.remove();
  }
  const made: unknown = Reflect.get(globalThis, SLOT);
  Reflect.deleteProperty(globalThis, SLOT);
  if (failure !== undefined) throw failure;
  if (made === undefined) throw new Error('the page that shows this lets no code run in it');
  return made;
}
