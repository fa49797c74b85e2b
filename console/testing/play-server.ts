import { answerCall } from "@tollgate/testkit/contract-double/answer-call";
import { PLAIN_DIALECT } from "@tollgate/testkit/contract-double/dialect";
import { makeWorld, type World } from "@tollgate/testkit/contract-double/world";

/** The contract's double as the server of a console in a document, with root signed in. */
export const playServer = (): { world: World; answer: (body: unknown, call: string) => Response } => {
  const world = makeWorld();
  return {
    world,
    answer: (body, call) => {
      const [method = "GET", address = ""] = call.split(" ");
      const { pathname: path, searchParams: query } = new URL(address, "http://double");
      const sent = answerCall(
        { method, path, query, body: (body ?? {}) as Record<string, unknown>, caller: world.users[0] },
        world,
        PLAIN_DIALECT,
      );
      return Response.json(sent.body, { status: sent.status });
    },
  };
};
