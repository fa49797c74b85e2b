import { AREA_OF_MATTER, listMatters, type Matter, type MatterKind } from "@tollgate/contract/api/attention";
import { isRoot } from "@tollgate/contract/values/roles";
import { findMatters } from "../../attention/find-matters";
import { implement, type Route } from "../route";
import type { Services } from "../services";

/** Cache time of matters: every administrator's open page requests them, and they read all channels' prices. */
const KEPT_SECONDS = 5;

/** Matters that wait for a person; beyond the contract. */
export const attentionRoutes = (services: Services): Route[] => {
  const kept = new Map<boolean, { at: number; matters: Promise<Matter[]> }>();
  const read = (forRoot: boolean): Promise<Matter[]> => {
    const known = kept.get(forRoot);
    const at = services.now();
    if (known && at < known.at + KEPT_SECONDS) return known.matters;
    const found = { at, matters: findMatters(services, forRoot) };
    kept.set(forRoot, found);
    found.matters.catch(() => {
      if (kept.get(forRoot) === found) kept.delete(forRoot);
    });
    return found.matters;
  };
  return [
    implement(listMatters, async ({ caller, permits }) => {
      const matters = await read(isRoot(caller.role));
      return matters.filter(({ kind }) => {
        const area = AREA_OF_MATTER[kind as MatterKind];
        return area === undefined ? isRoot(caller.role) : permits(area, "read");
      });
    }),
  ];
};
