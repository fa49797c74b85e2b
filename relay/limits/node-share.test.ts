import { expect, it } from "vitest";
import { nodeShare } from "./node-share";

it("the shares of all nodes together are the limit, and differ by one at most", () => {
  for (let limit = 0; limit <= 40; limit += 1) {
    for (let nodes = 1; nodes <= 12; nodes += 1) {
      const shares = Array.from({ length: nodes }, (_, rank) => nodeShare(limit, { nodes, rank }));
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(limit);
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    }
  }
});
