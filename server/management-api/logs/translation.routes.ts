import { getOwnTranslation, getTranslation } from "@tollgate/contract/api/translations";
import { audit } from "../audit";
import { existing } from "../failure";
import { implement } from "../route";
import type { Services } from "../services";
import { translationOf } from "./translation";

/** @throws Failure when the request, or its body, is not stored for this user. */
const find = async ({ storage }: Services, requestId: string | undefined, userId: number | undefined) => {
  const stored = existing(await storage.bodies.find(requestId ?? "", userId));
  return { stored, receipt: existing(await storage.read.receipts.find(stored.requestId, userId)) };
};

const toolsOf = ({ channels, remake }: Services) => ({
  keysOf: (id: number) => channels.keysOf(id),
  remake,
});

/** What the translation changed in a stored request; it shows parts of the content, and is guarded as the content is. */
export const translationRoutes = [
  implement(getTranslation, async (context) => {
    const { services, query, caller } = context;
    const { stored, receipt } = await find(services, query.request_id, undefined);
    if (stored.userId !== caller.id)
      await audit(services, context, "body.read", stored.requestId, { user_id: stored.userId });
    return translationOf(toolsOf(services), stored, receipt, false);
  }),
  implement(getOwnTranslation, async ({ services, caller, query }) => {
    const { stored, receipt } = await find(services, query.request_id, caller.id);
    return translationOf(toolsOf(services), stored, receipt, true);
  }),
];
