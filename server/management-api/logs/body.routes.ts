import { type BodyMessageWire, type BodyWire, bodyWireSchema } from "@tollgate/contract/management/body";
import { REQUEST_ID_PARAMETER } from "@tollgate/contract/resource/endpoint";
import type { BodyMessage, StoredBody } from "@tollgate/storage/bodies/stored-body";
import { z } from "zod/mini";
import { audit } from "../audit";
import { Failure } from "../failure";
import { type Route, route } from "../route";
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

const encodeBody = ({ requestId, createdAt, request, answer }: StoredBody): BodyWire => ({
  request_id: requestId,
  created_at: createdAt,
  request: encodeMessage(request),
  answer: { ...encodeMessage(answer), status: answer.status },
});

/** Later than everything that is stored. */
const END_OF_TIME = Number.MAX_SAFE_INTEGER;

/**
 * What requests and answers said, where the site keeps it; not part of the contract. It belongs to whoever said it:
 * beside them only root may read it, and that is written down.
 */
export const bodyRoutes = (services: Services): Route[] => {
  const { storage } = services;
  const find = async (requestId: string | undefined, userId: number | undefined): Promise<StoredBody> => {
    const body = await storage.bodies.find(requestId ?? "", userId);
    if (!body) throw new Failure("record-not-found");
    return body;
  };
  return [
    route({
      method: "GET",
      path: "/api/log/body",
      guard: "root",
      summary: "What the request of request_id and its answer said; the audit log names who read it",
      query: REQUEST_ID_PARAMETER,
      data: bodyWireSchema,
      changesState: true,
      async answer(context) {
        const body = await find(context.query.request_id, undefined);
        if (body.userId !== context.caller.id) {
          await audit(services, context, "body.read", body.requestId, { user_id: body.userId });
        }
        return encodeBody(body);
      },
    }),
    route({
      method: "GET",
      path: "/api/log/self/body",
      guard: "user",
      summary: "What one's own request of request_id and its answer said",
      query: REQUEST_ID_PARAMETER,
      data: bodyWireSchema,
      async answer({ caller, query }) {
        return encodeBody(await find(query.request_id, caller.id));
      },
    }),
    route({
      method: "DELETE",
      path: "/api/log/body",
      guard: "root",
      summary: "Deletes all that is stored of what requests and answers said; answers of how many requests",
      data: z.int(),
      async answer(context) {
        const count = await storage.bodies.clearBefore(END_OF_TIME);
        await audit(services, context, "body.clear", "", { count });
        return count;
      },
    }),
  ];
};
