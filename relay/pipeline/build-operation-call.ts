import type { Operation, OperationInput } from "@tollgate/contract/relay/operation";
import { stringifyInSteps } from "@tollgate/protocols/shared/json/stringify-in-steps";
import { readSwitches } from "@tollgate/protocols/shared/tools/asked-tools";
import { OPERATION_TIERS, readTiers } from "@tollgate/protocols/shared/usage/asked-tiers";
import { inSteps } from "../in-steps";
import type { UpstreamTarget } from "../ports/directory";
import type { UpstreamRequest } from "../ports/transport";
import { upstreamPath } from "../routing/addressing";
import { upstreamOperation } from "../routing/upstream-operation";
import { amend } from "./build-call";
import { LARGE_ANSWER_BYTES } from "./encode-json";
import { refuseExtras, withoutPaths } from "./screen-extras";

/** Structure of a form other than its fields. */
export interface FormShape {
  /** The request's Content-Type, with the boundary. */
  contentType: string;
  boundary: string;
  /** Offset of its first delimiter; bytes before it are not part of the form. */
  start: number;
  /** Range of the value of the field `model` in the body; undefined when the field is missing. */
  model: { start: number; end: number } | undefined;
}

/** A request as it came. */
export interface OperationBody {
  operation: Operation;
  input: OperationInput;
  /** undefined when the fields are not the client's own. */
  rawBody: Uint8Array | undefined;
  /** undefined for JSON. */
  form: FormShape | undefined;
  /** The model's name in `rawBody`, where that is an alias; `input` has the model. */
  alias?: string | undefined;
  isStream: boolean;
}

/**
 * A form with another model: the parts around the name are views of the client's body, so that a file is neither copied
 * nor rewritten.
 */
const replaceModel = (
  rawBody: Uint8Array,
  { boundary, start, model: place }: FormShape,
  model: string,
): Uint8Array[] => {
  if (place) {
    return [rawBody.subarray(0, place.start), Buffer.from(model), rawBody.subarray(place.end)];
  }
  const field = `--${boundary}\r\nContent-Disposition: form-data; name="model"\r\n\r\n${model}\r\n`;
  return [Buffer.from(field), rawBody.subarray(start)];
};

const buildForm = (
  { input, operation, alias, isStream }: OperationBody,
  rawBody: Uint8Array,
  form: FormShape,
  model: string,
): Pick<UpstreamRequest, "headers" | "body"> => {
  return {
    headers: {
      "content-type": form.contentType,
      accept: isStream
        ? "text/event-stream"
        : operation.isBinary
          ? "*/*"
          : "application/json, text/plain, */*",
    },
    body: alias === undefined && input.fields.model === model ? rawBody : replaceModel(rawBody, form, model),
  };
};

const buildJson = (
  { operation, input, rawBody, alias, isStream }: OperationBody,
  model: string,
  passesBody: boolean,
): Pick<UpstreamRequest, "headers" | "body"> => {
  // Whatever a tier, a search or another model would cost, these have one price.
  const unpriced = [...readTiers(input.fields, OPERATION_TIERS), ...readSwitches(input.fields)].map(
    ({ path }) => path,
  );
  if (unpriced.length > 0 && passesBody) refuseExtras(unpriced);
  const fields = unpriced.length === 0 ? input.fields : withoutPaths(input.fields, unpriced);
  const accept = isStream ? "text/event-stream" : operation.isBinary ? "*/*" : "application/json";
  const amendment = operation.events?.amendBody?.(fields);
  return {
    headers: { "content-type": "application/json", accept },
    body:
      rawBody === undefined || alias !== undefined || fields.model !== model || fields !== input.fields
        ? JSON.stringify({ ...fields, model, ...amendment })
        : amendment
          ? amend(rawBody, fields, amendment)
          : rawBody,
  };
};

/** Total size of the files in a form. */
export const uploadedBytes = ({ uploads }: OperationInput): number =>
  uploads.reduce((sum, { bytes }) => sum + bytes.length, 0);

/**
 * The upstream request of an operation: the client's own bytes when nothing must change.
 * @param model the upstream's model name.
 * @returns a promise when large files must be written in another shape.
 * @throws RequestInvalid when the upstream does not support the request.
 */
export const buildOperationCall = (
  entry: UpstreamTarget,
  request: OperationBody,
  model: string,
): UpstreamRequest | Promise<UpstreamRequest> => {
  const how = upstreamOperation(entry, request.operation.name);
  if (!how) throw new Error(`a channel was chosen that does not offer ${request.operation.name}`);
  const callWith = ({ headers, body }: Pick<UpstreamRequest, "headers" | "body">): UpstreamRequest => ({
    origin: entry.origin,
    ...(entry.proxy === "" ? {} : { proxy: entry.proxy }),
    path: upstreamPath(entry, how.path(model), model),
    headers: { ...headers, ...how.headers?.(model, request.input), ...entry.headers },
    body,
  });
  if (how.translation) {
    const headers = { "content-type": "application/json", accept: "application/json" };
    const value = how.translation.buildBody(request.input, model, entry.fields);
    if (uploadedBytes(request.input) <= LARGE_ANSWER_BYTES)
      return callWith({ headers, body: JSON.stringify(value) });
    return inSteps(stringifyInSteps(value)).then((body) => callWith({ headers, body }));
  }
  return callWith(
    request.form && request.rawBody
      ? buildForm(request, request.rawBody, request.form, model)
      : buildJson(request, model, entry.overrides?.passesBody ?? false),
  );
};
