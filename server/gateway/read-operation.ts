import type {
  Operation,
  OperationInput,
  OperationName,
  OperationOutline,
} from "@tollgate/contract/relay/operation";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { OPERATIONS } from "@tollgate/protocols/openai-operations/openai-operations";
import { isRecord } from "@tollgate/protocols/shared/json-values";
import { REQUEST_NAMES } from "@tollgate/protocols/shared/request-names";
import type { FormShape } from "@tollgate/relay/pipeline/build-operation-call";
import { parseForm } from "./parse-form";
import { readJson, readJsonInSteps } from "./read-json";

/** An operation that an address names, and the model where it stands in the address. */
export interface OperationAddress {
  operation: Operation;
  model: string | undefined;
}

/** The address of embeddings before models stood in the body (contract section 1.11). */
const ENGINE_EMBEDDINGS = /^\/v1\/engines\/([^/]+)\/embeddings$/;

const isOperationName = (name: string): name is OperationName => Object.hasOwn(OPERATIONS, name);

/** @returns undefined when a path names no operation. */
export const findOperation = (path: string): OperationAddress | undefined => {
  const name = path.startsWith("/v1/") ? path.slice(4) : "";
  if (isOperationName(name)) return { operation: OPERATIONS[name], model: undefined };
  const engine = ENGINE_EMBEDDINGS.exec(path)?.[1];
  if (engine === undefined) return undefined;
  try {
    return { operation: OPERATIONS.embeddings, model: decodeURIComponent(engine) };
  } catch {
    return undefined;
  }
};

/** A request as the engine takes it. */
export interface ReadOperation {
  model: string;
  input: OperationInput;
  outline: OperationOutline;
  form: FormShape | undefined;
}

const fieldsOf = (body: unknown): OperationInput => {
  if (!isRecord(body)) throw new RequestInvalid("the request body must be a JSON object");
  return { fields: body, uploads: [] };
};

/** The model of the body, else of the address, else the operation's own (contract section 2.2). */
const readModel = ({ fields }: OperationInput, { operation, model }: OperationAddress): string => {
  const named = fields.model;
  if (typeof named === "string" && named.trim() !== "") return named;
  const isAbsent = named === undefined || named === null || named === "";
  const fallback = isAbsent ? (model ?? operation.defaultModel) : undefined;
  if (fallback === undefined) {
    throw new RequestInvalid("model is required", "model", "required_field_missing");
  }
  return fallback;
};

const requestOf = (
  address: OperationAddress,
  input: OperationInput,
  form: FormShape | undefined,
): ReadOperation => {
  const model = readModel(input, address);
  return { model, input, outline: address.operation.outline(input, model), form };
};

/**
 * Reads the body of an operation.
 * @param contentType the request's Content-Type, "" when there is none.
 * @throws SyntaxError when it is no JSON. @throws BodyRefused, RequestInvalid when it cannot be meant.
 */
export const readOperation = (
  address: OperationAddress,
  rawBody: Buffer,
  contentType: string,
): ReadOperation => {
  if (address.operation.input !== "form")
    return requestOf(address, fieldsOf(readJson(rawBody, REQUEST_NAMES.snake)), undefined);
  const { input, shape } = parseForm(rawBody, contentType);
  return requestOf(address, input, shape);
};

/**
 * The same of a large body. Of a form's files nothing is read, and the rest of it is short.
 * @see readOperation
 */
export function* readOperationInSteps(
  address: OperationAddress,
  rawBody: Buffer,
  contentType: string,
): Generator<undefined, ReadOperation> {
  if (address.operation.input === "form") return readOperation(address, rawBody, contentType);
  const body = yield* readJsonInSteps(rawBody, REQUEST_NAMES.snake);
  return requestOf(address, fieldsOf(body), undefined);
}
