import { usableGroupsSchema } from "@tollgate/contract/management/group";
import { formatDecimal } from "@tollgate/contract/values/decimal";
import { groupRatioOf } from "@tollgate/metering/price";
import { type Route, route } from "../route";
import type { Services } from "../services";

/** The groups that keys may choose; beyond the contract. */
export const groupRoutes = ({ groupAccess, pricing }: Services): Route[] => [
  route({
    method: "GET",
    path: "/api/user/groups",
    guard: "user",
    summary:
      "The groups that one's keys may choose, with what they cost, and the list that `auto` stands for",
    data: usableGroupsSchema,
    answer({ caller }) {
      const { groups } = caller;
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
    },
  }),
];
