// @vitest-environment happy-dom

import { describe, expect, it, vi } from "vitest";
import { fireEvent, screen, waitFor } from "../testing/draw";
import { openConsole } from "../testing/open-console";

/*
 * Enter ends an input method's composition. Fields whose code loads late must neither break off the composition nor
 * take that Enter as the person's own.
 */

const composedEnter = (field: HTMLElement): void => {
  fireEvent.keyDown(field, { key: "Enter", keyCode: 229, isComposing: true });
};

const USERS = [{ id: 7, username: "alice", display_name: "", role: 1, status: 1, quota: 0 }];

const CHANNEL = {
  id: 7,
  type: 1,
  name: "seven",
  group: "default",
  models: "model-a",
  base_url: "",
  other: "",
  model_mapping: "",
  status: 1,
};

describe("Enter during a composition", () => {
  it("leaves a field that suggests as it is until the composition has ended", async () => {
    const stage = await openConsole("/log", { "GET /api/user/search": USERS });
    const plain = screen.getByLabelText<HTMLInputElement>("用户名");
    fireEvent.focusIn(plain);
    fireEvent.compositionStart(plain);
    fireEvent.input(plain, { target: { value: "李" } });
    await vi.dynamicImportSettled();
    const asked = stage.calls.length;
    composedEnter(plain);
    expect(plain.isConnected).toBe(true);
    expect(stage.calls.slice(asked).filter(({ call }) => call.includes("/api/log"))).toEqual([]);
    fireEvent.compositionEnd(plain);
    await waitFor(() => expect(plain.isConnected).toBe(false));
    expect(screen.getByLabelText<HTMLInputElement>("用户名").value).toBe("李");
  });

  it("chooses no suggestion", async () => {
    const stage = await openConsole("/log", { "GET /api/user/search": USERS });
    const plain = screen.getByLabelText<HTMLInputElement>("用户名");
    await stage.person.click(plain);
    await waitFor(() => expect(plain.isConnected).toBe(false));
    const field = screen.getByLabelText<HTMLInputElement>("用户名");
    await stage.person.type(field, "ali");
    await screen.findByRole("option", { name: /alice/ });
    await stage.person.keyboard("{ArrowDown}");
    composedEnter(field);
    expect(field.value).toBe("ali");
    expect(stage.router.state.location.searchStr).toBe("");
    await stage.person.keyboard("{Enter}");
    await waitFor(() => expect(stage.router.state.location.searchStr).toBe("?username=alice"));
  });

  it.each(["before", "after"])(
    "adds no value to a field of several, %s its list has loaded",
    async (when) => {
      const stage = await openConsole("/channel/edit/7", {
        "GET /api/channel/7": CHANNEL,
        "GET /api/channel/models": [{ id: "model-a" }, { id: "model-b" }],
        "GET /api/group/": ["default"],
      });
      const field = () => screen.getByRole<HTMLInputElement>("combobox", { name: /^模型/ });
      const plain = field();
      if (when === "after") {
        await stage.person.click(plain);
        await waitFor(() => expect(plain.isConnected).toBe(false));
      }
      fireEvent.compositionStart(field());
      fireEvent.input(field(), { target: { value: "model-b" } });
      await vi.dynamicImportSettled();
      composedEnter(field());
      expect(screen.queryByRole("button", { name: "移除 model-b" })).toBeNull();
      expect(field().value).toBe("model-b");
      expect(stage.calls.some(({ call }) => call.startsWith("PUT"))).toBe(false);
    },
  );
});
