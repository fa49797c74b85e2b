import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { NameRules } from "@tollgate/protocols/shared/json-names";
import { isRecord } from "@tollgate/protocols/shared/json-values";
import { REQUEST_NAMES } from "@tollgate/protocols/shared/request-names";
import type { ChatRoute } from "./chat-route";
import { readJson, readJsonInSteps } from "./read-json";

/** The model of a Gemini request is the address's; the body may repeat it, and nothing else. */
const requireOneModel = (body: unknown, model: string): void => {
  const named = isRecord(body) ? body.model : undefined;
  if (named === undefined || named === null || named === model) return;
  if (named === `models/${model}` || named === `tunedModels/${model}`) return;
  throw new RequestInvalid("model names another model than the address", "model");
};

const namesOf = ({ client }: ChatRoute): NameRules => REQUEST_NAMES[client.spelling];

/**
 * Reads the body of a chat, as its protocol spells names.
 * @throws SyntaxError when it is no JSON. @throws BodyRefused, RequestInvalid when it can be read in two ways.
 */
export const readChat = (rawBody: Buffer, route: ChatRoute): unknown => {
  const body = readJson(rawBody, namesOf(route));
  if (route.address) requireOneModel(body, route.address.model);
  return body;
};

/**
 * The same of a large body.
 * @see readChat
 */
export function* readChatInSteps(rawBody: Buffer, route: ChatRoute): Generator<undefined, unknown> {
  const body = yield* readJsonInSteps(rawBody, namesOf(route));
  if (route.address) requireOneModel(body, route.address.model);
  return body;
}
