import type { Conversation, Step } from "./conversation";

/** The first words of a conversation stand for a title that was not given. */
const MAX_TITLE = 60;

/** The title of a conversation; "" for one without a message. */
export const titleOf = ({ title, turns }: Pick<Conversation, "title" | "turns">): string =>
  title !== "" ? title : (turns[0]?.text.trim().split("\n", 1)[0] ?? "").slice(0, MAX_TITLE);

/** A fence longer than any within the text. */
const fenced = (text: string, language: string): string => {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
};

const stepLines = (step: Step): string[] => [
  `### ${step.model}`,
  ...(step.reasoning === "" ? [] : [fenced(step.reasoning, "reasoning")]),
  ...(step.text === "" ? [] : [step.text]),
  ...step.toolCalls.flatMap(({ name, arguments: sent }, index) => [
    `\`${name}\``,
    fenced(sent, "json"),
    ...(step.results?.[index] === undefined ? [] : [fenced(step.results[index], "")]),
  ]),
  ...(step.failure ? [`> ${step.failure.status} ${step.failure.message}`] : []),
];

/** The conversation as a Markdown document. */
export const toMarkdown = (conversation: Conversation): string => {
  const { settings, turns } = conversation;
  const lines = [
    `# ${titleOf(conversation)}`,
    ...(settings.system === "" ? [] : ["## system", settings.system]),
    ...turns.flatMap(({ text, attachments, answers }) => [
      "## user",
      text,
      ...attachments.map(({ name, type }) => `- ${name} (${type})`),
      ...answers.flat().flatMap(stepLines),
    ]),
  ];
  return `${lines.filter((line) => line !== "").join("\n\n")}\n`;
};

/** The conversation as JSON, complete with parameters and pictures as far as they are kept. */
export const toJson = (conversation: Conversation): string => `${JSON.stringify(conversation, null, 2)}\n`;

/** A file's name without characters that a system refuses. */
export const fileNameOf = (conversation: Conversation, ending: string): string => {
  const name = titleOf(conversation)
    .replace(/[\p{C}\\/:*?"<>|.]+/gu, " ")
    .trim();
  return `${name === "" ? "conversation" : name}.${ending}`;
};
