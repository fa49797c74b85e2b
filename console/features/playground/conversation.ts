import * as z from "zod/mini";

/** Most models side by side. */
export const MAX_COLUMNS = 4;

/** Characters of one answer that are kept and shown. */
export const MAX_ANSWER = 400_000;

const attachmentSchema = z.object({
  name: z.string(),
  type: z.string(),
  /** "" in stored conversations: pictures and files are kept only until the page is left. */
  data: z.string(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

const toolCallSchema = z.object({ id: z.string(), name: z.string(), arguments: z.string() });
export type ToolCall = z.infer<typeof toolCallSchema>;

/** One answer of a model; an answer that calls tools is continued by another one. */
const stepSchema = z.object({
  model: z.string(),
  text: z.string(),
  reasoning: z.string(),
  toolCalls: z.array(toolCallSchema),
  /** The user's results of the calls, in their order; absent until they are sent. */
  results: z.optional(z.array(z.string())),
  /** Names the receipt; "" where the request did not reach the gateway. */
  requestId: z.string(),
  promptTokens: z.optional(z.int()),
  completionTokens: z.optional(z.int()),
  /** Why the model stopped, in its API's word. */
  finish: z.optional(z.string()),
  isStopped: z.optional(z.boolean()),
  /** The text was longer than is kept. */
  isCut: z.optional(z.boolean()),
  failure: z.optional(z.object({ status: z.int(), message: z.string(), requestId: z.string() })),
});
export type Step = z.infer<typeof stepSchema>;

/** What the user sent, and what each column answered. */
const turnSchema = z.object({
  text: z.string(),
  attachments: z.array(attachmentSchema),
  answers: z.array(z.array(stepSchema)),
});
export type Turn = z.infer<typeof turnSchema>;

/** Parameters as they are typed; an empty one is not sent. */
const settingsSchema = z.object({
  system: z.string(),
  temperature: z.string(),
  topP: z.string(),
  maxTokens: z.string(),
  effort: z.string(),
  /** JSON text: an array of tools. */
  tools: z.string(),
});
export type ChatSettings = z.infer<typeof settingsSchema>;

export const NO_SETTINGS: ChatSettings = {
  system: "",
  temperature: "",
  topP: "",
  maxTokens: "",
  effort: "",
  tools: "",
};

export const conversationSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** Milliseconds since the epoch. */
  changedAt: z.number(),
  /** "" for the groups of the user. */
  group: z.string(),
  /** The model of each column. */
  models: z.array(z.string()).check(z.minLength(1), z.maxLength(MAX_COLUMNS)),
  settings: settingsSchema,
  turns: z.array(turnSchema),
});
export type Conversation = z.infer<typeof conversationSchema>;

/** An empty conversation. @param like whose models, group and parameters it takes over. */
export const newConversation = (like?: Conversation): Conversation => ({
  id: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`,
  title: "",
  changedAt: Date.now(),
  group: like?.group ?? "",
  models: like?.models ?? [""],
  settings: like?.settings ?? NO_SETTINGS,
  turns: [],
});

/** An answer that has not begun. */
export const emptyStep = (model: string): Step => ({
  model,
  text: "",
  reasoning: "",
  toolCalls: [],
  requestId: "",
});

/** A conversation with one answer replaced or added. */
export const withStep = (
  conversation: Conversation,
  at: { turn: number; column: number; step: number },
  step: Step,
): Conversation => ({
  ...conversation,
  changedAt: Date.now(),
  turns: conversation.turns.map((turn, index) => {
    if (index !== at.turn) return turn;
    const answers = [...turn.answers];
    const steps = [...(answers[at.column] ?? [])];
    steps[at.step] = step;
    answers[at.column] = steps;
    // Columns that did not answer this turn have an empty list, not a hole.
    return { ...turn, answers: Array.from(answers, (each) => each ?? []) };
  }),
});
