import type {
  SpokenTurn,
  SystemTurn,
  TextPart,
  ToolResultPart,
  Turn,
  UserPart,
} from "@tollgate/contract/relay/request";

/**
 * Adds instructions at their position: before the first turn they belong to the head of the conversation, later they
 * are a turn. Moving them into the head would invalidate the upstream's prompt cache.
 */
export const addSystem = (system: TextPart[], turns: Turn[], parts: readonly TextPart[]): void => {
  const last = turns.at(-1);
  if (last === undefined) system.push(...parts);
  else if (last.role === "system") last.parts.push(...parts);
  else turns.push({ role: "system", parts: [...parts] });
};

/**
 * Adds results right behind the turn with the calls or behind earlier results, in front of instructions that the client
 * put in between: every vendor demands that results follow their calls.
 */
export const addResults = (turns: Turn[], results: readonly ToolResultPart[]): void => {
  const place = turns.findLastIndex((turn) => turn.role !== "system") + 1;
  const before = turns[place - 1];
  // Only the last part is checked: checking all of them for each result would take quadratic time.
  if (before?.role === "user" && before.parts.at(-1)?.kind === "tool-result") {
    before.parts.push(...results);
  } else turns.splice(place, 0, { role: "user", parts: [...results] });
};

/** Adds a user turn with its parts in order; results are positioned by `addResults`. */
export const addUserTurn = (turns: Turn[], parts: readonly UserPart[]): void => {
  if (turns.at(-1)?.role !== "system") {
    turns.push({ role: "user", parts: [...parts] });
    return;
  }
  const results = parts.filter((part) => part.kind === "tool-result");
  const others = parts.filter((part) => part.kind !== "tool-result");
  if (results.length > 0) addResults(turns, results);
  if (others.length > 0) turns.push({ role: "user", parts: others });
};

/** Instructions inside the conversation as marked words of the user, for upstreams that take them in the head alone. */
export const systemAsUser = (turns: readonly Turn[]): SpokenTurn[] =>
  turns.map((turn) => (turn.role === "system" ? asUser(turn) : turn));

const asUser = ({ parts }: SystemTurn): SpokenTurn => ({
  role: "user",
  parts: parts
    .filter(({ text }) => text.trim() !== "")
    .map((part) => ({ ...part, text: `<system>\n${part.text}\n</system>` })),
});
