import { listAudit } from "@tollgate/contract/api/audit";
import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import { implement, readPage } from "../route";

/** What administrators changed. */
export const auditRoutes = [
  implement(listAudit, async ({ services, query }) => {
    const entries = await services.storage.read.audit.page(readPage(query) * PAGE_SIZE, PAGE_SIZE);
    return entries.map(({ beneficiary, ...entry }) => ({
      ...entry,
      beneficiaryId: beneficiary?.id ?? 0,
      beneficiary: beneficiary?.username ?? "",
    }));
  }),
];
