import { type AuditWire, auditWireSchema } from "@tollgate/contract/management/audit";
import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import { PAGE_PARAMETER } from "@tollgate/contract/resource/endpoint";
import { z } from "zod/mini";
import { type Route, readPage, route } from "../route";
import type { Services } from "../services";

/** What administrators changed; beyond the contract. */
export const auditRoutes = ({ storage }: Services): Route[] => [
  route({
    method: "GET",
    path: "/api/audit",
    guard: "root",
    summary: "A page of what administrators changed, without secrets",
    query: PAGE_PARAMETER,
    data: z.array(auditWireSchema),
    async answer({ query }): Promise<AuditWire[]> {
      const entries = await storage.read.audit.page(readPage(query) * PAGE_SIZE, PAGE_SIZE);
      return entries.map(({ createdAt, userId, beneficiary, ...entry }) => ({
        ...entry,
        beneficiary_id: beneficiary?.id ?? 0,
        beneficiary: beneficiary?.username ?? "",
        created_at: createdAt,
        user_id: userId,
      }));
    },
  }),
];
