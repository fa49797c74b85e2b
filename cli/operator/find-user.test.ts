import { describe, expect, it } from "vitest";
import { findUser } from "./find-user";
import { type OperatorApi, OperatorRefused } from "./operator-api";

const MAX_SEARCH = 3;
const PAGE = 2;

/** A gateway with these users, the newest first, whose search finds a few beginnings and whose list has pages. */
const gatewayOf = (...names: string[]): OperatorApi => {
  const users = names.map((username, index) => ({ id: index + 1, username })).reverse();
  return {
    async call({ path: pathname, query }) {
      const keyword = String(query?.keyword ?? "");
      if (pathname === "/api/user/search")
        return {
          data: users
            .filter(({ id, username }) => String(id) === keyword || username.startsWith(keyword))
            .slice(0, MAX_SEARCH),
        };
      if (pathname === "/api/user/") {
        const begin = Number(query?.p) * PAGE;
        return { data: users.slice(begin, begin + PAGE) };
      }
      const data = users.find(({ id }) => pathname === `/api/user/${id}`);
      if (!data) throw new OperatorRefused("Record not found");
      return { data };
    },
  };
};

describe("the user that an administrator typed", () => {
  it("is found by name and by number", async () => {
    const gateway = gatewayOf("root", "alice");
    expect(await findUser(gateway, "alice")).toMatchObject({ id: 2 });
    expect(await findUser(gateway, "2")).toMatchObject({ username: "alice" });
    expect(await findUser(gateway, "#1")).toMatchObject({ username: "root" });
  });

  it("is found although many newer ones have names that begin so", async () => {
    const gateway = gatewayOf("root", "root1", "root2", "root3", "root4");
    expect(await findUser(gateway, "root")).toMatchObject({ id: 1 });
  });

  it("is rejected when a name equals another user's number", async () => {
    const gateway = gatewayOf("root", "alice", "2");
    await expect(findUser(gateway, "2")).rejects.toThrow(
      '"2" is the name of user 3 and the number of alice: say #3 or #2.',
    );
    expect(await findUser(gateway, "#2")).toMatchObject({ username: "alice" });
    expect(await findUser(gateway, "#3")).toMatchObject({ username: "2" });
  });

  it("is not found by the beginning of a name or number", async () => {
    await expect(findUser(gatewayOf("root", "alice"), "ali")).rejects.toThrow('There is no user "ali"');
    await expect(findUser(gatewayOf("root"), "9")).rejects.toThrow('There is no user "9"');
  });
});
