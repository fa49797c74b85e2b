import type { AskedOperation } from "@tollgate/contract/relay/client-api";
import type { OperationInput, OperationSummary } from "@tollgate/contract/relay/operation";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { isRecord } from "@tollgate/protocols/shared/json/json-values";
import { REQUEST_NAMES } from "@tollgate/protocols/shared/request/request-names";
import type { FormShape } from "@tollgate/relay/pipeline/build-operation-call";
import { parseForm, parseFormInSteps } from "./parse-form";
import { readJson, readJsonInSteps } from "./read-json";

/** The operation at an address, and the model if the address contains it. */
type OperationAddress = Pick<AskedOperation, "operation" | "model">;

/** A request as the engine takes it. */
export interface ReadOperation {
  model: string;
  input: OperationInput;
  summary: OperationSummary;
  form: FormShape | undefined;
}

const fieldsOf = (body: unknown): OperationInput => {
  if (!isRecord(body)) throw new RequestInvalid({ code: "body-not-object" });
  return { fields: body, uploads: [] };
};

/** The model of the body, else of the address, else the operation's own (contract section 2.2). */
const readModel = ({ fields }: OperationInput, { operation, model }: OperationAddress): string => {
  const named = fields.model;
  if (typeof named === "string" && named.trim() !== "") return named;
  const isAbsent = named === undefined || named === null || named === "";
  const fallback = isAbsent ? (model ?? operation.defaultModel) : undefined;
  if (fallback === undefined) {
    throw new RequestInvalid({ code: "missing", field: "model" }, undefined, "required_field_missing");
  }
  return fallback;
};

const requestOf = (
  address: OperationAddress,
  input: OperationInput,
  form: FormShape | undefined,
): ReadOperation => {
  const model = readModel(input, address);
  return { model, input, summary: address.operation.summarizeRequest(input, model), form };
};

/**
 * Reads the body of an operation.
 * @param contentType the request's Content-Type, "" without one.
 * @throws SyntaxError for invalid JSON. @throws BodyRefused, RequestInvalid for an invalid request.
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
 * Reads a large body in steps between which other requests run.
 * @see readOperation
 */
export function* readOperationInSteps(
  address: OperationAddress,
  rawBody: Buffer,
  contentType: string,
): Generator<undefined, ReadOperation> {
  const { operation } = address;
  if (operation.input === "form") {
    const { input, shape } = yield* parseFormInSteps(rawBody, contentType);
    const model = readModel(input, address);
    const summary = operation.summarizeInSteps
      ? yield* operation.summarizeInSteps(input, model)
      : operation.summarizeRequest(input, model);
    return { model, input, summary, form: shape };
  }
  const body = yield* readJsonInSteps(rawBody, REQUEST_NAMES.snake);
  return requestOf(address, fieldsOf(body), undefined);
}
