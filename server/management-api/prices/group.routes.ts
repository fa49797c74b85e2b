import { listGroups, listUsableGroups } from "@tollgate/contract/api/groups";
import { formatDecimal } from "@tollgate/contract/values/decimal";
import { groupRatioOf } from "@tollgate/metering/price";
import { implement } from "../route";

/** The groups of the site, and those that keys may choose. */
export const groupRoutes = [
  implement(listGroups, ({ services }) => services.pricing.groups()),

  implement(listUsableGroups, ({ services: { groupAccess, pricing }, caller: { groups } }) => {
    const book = pricing.book();
    return {
      groups: [...groupAccess.usableBy(groups)].map(([name, description]) => ({
        name,
        description,
        ratio: formatDecimal(groupRatioOf(book, name, { groups })),
        is_own: groups.includes(name),
      })),
      auto: [...groupAccess.autoOf(groups)],
    };
  }),
];
