import {
  type BodyMessageWire,
  type BodyWire,
  clearBodies,
  getBody,
  getOwnBody,
} from "@tollgate/contract/api/bodies";
import type { BodyMessage, StoredBody } from "@tollgate/storage/bodies/stored-body";
import { audit } from "../audit";
import { existing } from "../failure";
import { implement } from "../route";
import type { Services } from "../services";

const encodeMessage = ({ contentType, sizeBytes, bytes }: BodyMessage): BodyMessageWire => {
  const isCut = bytes !== undefined && bytes.byteLength < sizeBytes;
  return {
    content_type: contentType,
    size_bytes: sizeBytes,
    // Half a character at the cut is left out.
    ...(bytes === undefined ? {} : { text: new TextDecoder().decode(bytes, { stream: isCut }) }),
    is_cut: isCut,
  };
};

const encodeBody = ({ requestId, createdAt, path, request, answer }: StoredBody): BodyWire => ({
  request_id: requestId,
  created_at: createdAt,
  ...(path === undefined ? {} : { path }),
  request: encodeMessage(request),
  answer: { ...encodeMessage(answer), status: answer.status },
});

/** Later than everything that is stored. */
const END_OF_TIME = Number.MAX_SAFE_INTEGER;

/** @throws Failure */
const findBody = async (
  { storage }: Services,
  requestId: string | undefined,
  userId: number | undefined,
): Promise<StoredBody> => existing(await storage.bodies.find(requestId ?? "", userId));

/**
 * The content of requests and answers, if the site keeps it; not part of the contract. It belongs to the caller of the request:
 * root alone may read it as well, and the audit log names each such reading.
 */
export const bodyRoutes = [
  implement(getBody, async (context) => {
    const { services, query, caller } = context;
    const body = await findBody(services, query.request_id, undefined);
    if (body.userId !== caller.id)
      await audit(services, context, "body.read", body.requestId, { user_id: body.userId });
    return encodeBody(body);
  }),
  implement(getOwnBody, async ({ services, caller, query }) =>
    encodeBody(await findBody(services, query.request_id, caller.id)),
  ),
  implement(clearBodies, async (context) => {
    const count = await context.services.storage.bodies.clearBefore(END_OF_TIME);
    await audit(context.services, context, "body.clear", "", { count });
    return count;
  }),
];
