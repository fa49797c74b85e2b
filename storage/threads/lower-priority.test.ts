import * as os from "node:os";
import { expect, it, vi } from "vitest";
import { lowerPriority } from "./lower-priority";

vi.mock("node:os", async (original) => ({
  ...(await original<typeof os>()),
  setPriority: vi.fn(() => {
    throw new Error("A system error occurred: uv_os_setpriority returned EPERM (operation not permitted)");
  }),
}));

it.runIf(process.platform === "linux")("goes on where a service may not change priorities", () => {
  expect(lowerPriority).not.toThrow();
  expect(os.setPriority).toHaveBeenCalledOnce();
});
