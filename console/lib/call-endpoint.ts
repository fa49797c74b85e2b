import { type CallOf, type DataOf, type Endpoint, requestOf } from "@tollgate/contract/resource/endpoint";
import { callApi, UnreadableError } from "./api-client";

/**
 * Calls an endpoint.
 * @returns the parsed data of its answer
 * @throws RefusedError, HttpError, UnreadableError, or fetch's own TypeError when no server answered
 */
export const callEndpoint = async <E extends Endpoint>(
  endpoint: E,
  call: CallOf<E>,
  signal?: AbortSignal,
): Promise<DataOf<E>> => {
  const { method, path, query, body } = requestOf(endpoint, call);
  const envelope = await callApi(method, path, { query, body, signal });
  const value = endpoint.data?.read(endpoint.isEnvelope ? envelope : envelope.data);
  if (endpoint.data && !endpoint.data.isOptional && value === undefined)
    throw new UnreadableError("the answer has other data");
  return value as DataOf<E>;
};
