// @vitest-environment happy-dom

import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { cleanup, render, screen } from "../testing/draw";
import { EditableRows } from "./editable-rows";

afterEach(cleanup);

/** A field with its own state, like one that accepts only numbers. */
const Keeping = ({ label, name }: { label: string; name: string }) => {
  const [typed, setTyped] = useState(name);
  return <input aria-label={label} value={typed} onChange={({ target }) => setTyped(target.value)} />;
};

const List = ({ names }: { names: readonly string[] }) => {
  const [rows, setRows] = useState(names);
  return (
    <EditableRows
      rows={rows}
      onChange={setRows}
      add="add"
      blank={() => "new"}
      remove={(name) => `remove ${name}`}
      order={{ up: (name) => `up ${name}`, down: (name) => `down ${name}` }}
    >
      {(name) => <Keeping label="field" name={name} />}
    </EditableRows>
  );
};

const open = (...names: string[]) => {
  render(<List names={names} />);
  const person = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
  return {
    person,
    press: (name: string) => person.click(screen.getByRole("button", { name })),
    shown: () => screen.getAllByRole<HTMLInputElement>("textbox").map(({ value }) => value),
  };
};

describe("rows that are typed into", () => {
  it("keep the shown values when another row is removed", async () => {
    const { person, press, shown } = open("a", "b");
    await person.type(screen.getAllByRole("textbox")[1]!, "!");
    await press("remove a");
    expect(shown()).toEqual(["b!"]);
  });

  it("keep it when they are moved, and the button keeps the focus for the next step", async () => {
    const { person, press, shown } = open("a", "b", "c");
    await person.type(screen.getAllByRole("textbox")[2]!, "!");
    await press("up c");
    expect(shown()).toEqual(["a", "c!", "b"]);
    expect(document.activeElement?.getAttribute("aria-label")).toBe("up c");
    await person.keyboard("{Enter}");
    expect(shown()).toEqual(["c!", "a", "b"]);
    // At the end of the list the button does nothing and keeps the focus.
    await person.keyboard("{Enter}");
    expect(shown()).toEqual(["c!", "a", "b"]);
    expect(document.activeElement?.getAttribute("aria-label")).toBe("up c");
  });

  it("have the focus in a new one, and beside one that is removed", async () => {
    const { person, press } = open("a", "b");
    await press("add");
    expect(document.activeElement).toBe(screen.getAllByRole("textbox")[2]);
    await press("remove a");
    expect(document.activeElement?.getAttribute("aria-label")).toBe("remove b");
    await person.keyboard("{Enter}{Enter}");
    expect(document.activeElement?.textContent).toBe("add");
  });
});
