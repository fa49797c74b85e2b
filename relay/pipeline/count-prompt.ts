import type { TokenCount } from "@tollgate/contract/relay/client-api";
import type { ClientProtocol, RequestAddress } from "@tollgate/contract/relay/protocol";
import { promptTokensOf } from "@tollgate/metering/estimate";
import type { Admissions } from "../admission/admissions";
import { enter, isRefusal } from "../admission/admit";
import { chooseAtBudget } from "../admission/at-budget";
import { resolveChat, withAlias } from "../admission/resolve-model";
import type { Refusal } from "../ports/client";
import type { ApiKey } from "../ports/directory";
import type { LimitPass } from "../ports/limits";
import type { RelayPorts } from "../ports/relay-ports";
import { chooseGroup, groupsOf } from "../routing/choose-group";
import { modelRefusal } from "./model-refusal";

/** A request to count its own tokens. */
export interface CountJob {
  client: ClientProtocol;
  count: TokenCount;
  address: RequestAddress | undefined;
  body: unknown;
  key: ApiKey;
}

/** A count, or a refusal with the headers about limits; or the error thrown while handling the request. */
export type Counted =
  | { refusal: Refusal }
  | { headers: Readonly<Record<string, string>>; counted: unknown }
  | { error: unknown };

const NO_FIELDS: Readonly<Record<string, unknown>> = {};

const fieldsOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === "object" && body !== null ? (body as Record<string, unknown>) : NO_FIELDS;

/**
 * Counts the prompt of a request, locally and free of charge: the same count that is charged when an upstream reports
 * none. It uses the tokenizer of OpenAI's models, so other vendors' own counts may differ.
 * @param admissions the queue for its limits.
 * @param done called once; an error is mostly a RequestInvalid.
 */
export const countPrompt = (
  job: CountJob,
  ports: Pick<RelayPorts, "directory" | "tokenCounter" | "limiter" | "fallbacks">,
  admissions: Admissions,
  done: (result: Counted) => void,
): void => {
  const { client, count, address, body, key } = job;
  const sent = fieldsOf(body);
  const chat = count.chatOf?.(sent) ?? sent;
  const fail = (error: unknown): void => done({ error });
  try {
    const asked = client.summarizeRequest({ ...count.defaults, ...chat }, address);
    const { model, alias, effort } = resolveChat(ports.directory, key, asked.model);
    // No model reads it, so it uses up no tokens of a minute.
    const counted = { model, promptTokens: 0, effortName: effort?.name };
    // It costs nothing: a chat that another model would answer may be counted.
    const atBudget = chooseAtBudget(ports, { key }, { model, useModel: () => undefined });
    const pass = enter(ports, key, counted, client.limitHeaders, atBudget);
    const refuse = (refusal: Refusal): void => done({ refusal: withAlias(refusal, { model, alias }) });
    const countEntered = (entered: LimitPass | undefined): void =>
      countChat(job, chat, model, ports, entered, (result) =>
        "refusal" in result ? refuse(result.refusal) : done(result),
      );
    if (pass && isRefusal(pass)) refuse(pass);
    else if (pass && "then" in pass)
      admissions.wait(pass, undefined, { isGone: () => false, enter: countEntered, refuse, fail });
    else countEntered(pass);
  } catch (error) {
    fail(error);
  }
};

/** The plan for counting a chat, given its text's tokens; or the refusal. */
const plan = (
  { client, count, key }: CountJob,
  chat: Readonly<Record<string, unknown>>,
  model: string,
  directory: RelayPorts["directory"],
  headers: Readonly<Record<string, string>>,
): { text: string; encode: (tokens: number) => unknown } | { refusal: Refusal } => {
  const group = chooseGroup(directory, groupsOf(directory, key), model);
  if (directory.candidates(group, model).length === 0)
    return { refusal: { ...modelRefusal(directory, group, model), headers } };
  const prompt = client.promptText(chat);
  return { text: prompt.text, encode: (tokens) => count.encode(promptTokensOf(tokens, prompt)) };
};

/** Counts a chat that limits let in. */
const countChat = (
  job: CountJob,
  chat: Readonly<Record<string, unknown>>,
  model: string,
  { directory, tokenCounter }: Pick<RelayPorts, "directory" | "tokenCounter">,
  pass: LimitPass | undefined,
  done: (result: Counted) => void,
): void => {
  const headers = pass?.headers ?? {};
  const end = (find: () => Counted): void => {
    let result: Counted;
    try {
      result = find();
    } catch (error) {
      result = { error };
    }
    pass?.leave();
    done(result);
  };
  let planned: ReturnType<typeof plan>;
  try {
    planned = plan(job, chat, model, directory, headers);
  } catch (error) {
    end(() => ({ error }));
    return;
  }
  if ("refusal" in planned) {
    const { refusal } = planned;
    end(() => ({ refusal }));
    return;
  }
  const { text, encode } = planned;
  const onTokens = (tokens: number): void => end(() => ({ headers, counted: encode(tokens) }));
  tokenCounter.count(model, text, onTokens, job.key.user.id, "information");
};
