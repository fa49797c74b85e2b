import type { AskedOperation } from "@tollgate/contract/relay/client-api";
import type { OperationInput, OperationSummary } from "@tollgate/contract/relay/operation";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { isRecord } from "@tollgate/protocols/shared/json/json-values";
import { REQUEST_NAMES } from "@tollgate/protocols/shared/request/request-names";
import type { ResolvedModel } from "@tollgate/relay/admission/resolve-model";
import type { FormShape } from "@tollgate/relay/pipeline/build-operation-call";
import { parseForm, parseFormInSteps } from "./parse-form";
import { readJson, readJsonInSteps } from "./read-json";

/** The operation at an address, and the model if the address contains it. */
type OperationAddress = Pick<AskedOperation, "operation" | "model">;

/** A request as the engine takes it. */
export interface ReadOperation {
  model: string;
  /** The client's name of it, where that is an alias. */
  alias: string | undefined;
  input: OperationInput;
  summary: OperationSummary;
  form: FormShape | undefined;
}

/** Finds the model of a client's name. */
type Resolve = (name: string) => ResolvedModel;

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

/** The model of a request. Its fields name the model itself, also where the client named an alias. */
const resolveInput = (
  input: OperationInput,
  address: OperationAddress,
  resolve: Resolve,
): Pick<ReadOperation, "model" | "alias" | "input"> => {
  const { model, alias } = resolve(readModel(input, address));
  if (alias === undefined) return { model, alias, input };
  return { model, alias, input: { ...input, fields: { ...input.fields, model } } };
};

const requestOf = (
  address: OperationAddress,
  sent: OperationInput,
  form: FormShape | undefined,
  resolve: Resolve,
): ReadOperation => {
  const resolved = resolveInput(sent, address, resolve);
  const { model, input } = resolved;
  return { ...resolved, summary: address.operation.summarizeRequest(input, model), form };
};

/**
 * Reads the body of an operation.
 * @param contentType the request's Content-Type, "" without one.
 * @param resolve finds the model before anything is read that depends on it.
 * @throws SyntaxError for invalid JSON. @throws BodyRefused, RequestInvalid for an invalid request.
 */
export const readOperation = (
  address: OperationAddress,
  rawBody: Buffer,
  contentType: string,
  resolve: Resolve,
): ReadOperation => {
  if (address.operation.input !== "form")
    return requestOf(address, fieldsOf(readJson(rawBody, REQUEST_NAMES.snake)), undefined, resolve);
  const { input, shape } = parseForm(rawBody, contentType);
  return requestOf(address, input, shape, resolve);
};

/**
 * Reads a large body in steps between which other requests run.
 * @see readOperation
 */
export function* readOperationInSteps(
  address: OperationAddress,
  rawBody: Buffer,
  contentType: string,
  resolve: Resolve,
): Generator<undefined, ReadOperation> {
  const { operation } = address;
  if (operation.input === "form") {
    const { input: sent, shape } = yield* parseFormInSteps(rawBody, contentType);
    const resolved = resolveInput(sent, address, resolve);
    const { model, input } = resolved;
    const summary = operation.summarizeInSteps
      ? yield* operation.summarizeInSteps(input, model)
      : operation.summarizeRequest(input, model);
    return { ...resolved, summary, form: shape };
  }
  const body = yield* readJsonInSteps(rawBody, REQUEST_NAMES.snake);
  return requestOf(address, fieldsOf(body), undefined, resolve);
}
