interface Declared {
  name?: string;
  function?: { name?: string };
  functionDeclarations?: Declared[];
  tools?: Declared[];
}

interface Part {
  type?: string;
  functionResponse?: unknown;
}

interface Turn {
  type?: string;
  role?: string;
  content?: string | Part[] | null;
  parts?: Part[];
}

interface Body {
  tools?: Declared[];
  messages?: Turn[];
  input?: string | Turn[];
  contents?: Turn[];
}

const namesOf = (tool: Declared): string[] => {
  const inner = tool.functionDeclarations ?? tool.tools;
  return inner ? inner.flatMap(namesOf) : [tool.function?.name ?? tool.name ?? ""];
};

const isResult = (part: Turn | Part): boolean =>
  ("role" in part && part.role === "tool") ||
  part.type === "tool_result" ||
  part.type?.endsWith("_call_output") === true ||
  "functionResponse" in part;

const resultsOf = (turn: Turn): number => {
  const parts = turn.parts ?? (Array.isArray(turn.content) ? turn.content : []);
  return [turn, ...parts].filter(isResult).length;
};

/** What a request of any of the four shapes offers, and how far its conversation is. */
export const readRequest = (body: Record<string, unknown> | undefined) => {
  const { tools = [], messages, input, contents }: Body = body ?? {};
  const turns = messages ?? contents ?? (Array.isArray(input) ? input : []);
  return {
    toolNames: tools.flatMap(namesOf),
    resultCount: turns.reduce((sum, turn) => sum + resultsOf(turn), 0),
  };
};
