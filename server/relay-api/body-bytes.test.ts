import { describe, expect, it } from "vitest";
import { BodyBytes } from "./body-bytes";

describe("S8: the bodies of requests under way", () => {
  it("may take a quarter of the memory for one user, and all of it for all", () => {
    const bodies = new BodyBytes(400);
    const first = bodies.open(1);
    expect(first.take(60)).toBeUndefined();
    const second = bodies.open(1);
    expect(second.take(40)).toBeUndefined();
    expect(second.take(1)).toMatchObject({ code: "bodies-limited", params: { limit: "100" } });
    for (const user of [2, 3, 4]) expect(bodies.open(user).take(100)).toBeUndefined();
    expect(bodies.open(5).take(1)).toMatchObject({ code: "bodies-full" });
    first.release();
    first.release();
    expect(bodies.held).toBe(340);
    expect(bodies.open(5).take(60)).toBeUndefined();
  });

  it("lets a single body in that is larger than the bound", () => {
    const bodies = new BodyBytes(40);
    const share = bodies.open(1);
    expect(share.take(30)).toBeUndefined();
    expect(share.take(30)).toBeUndefined();
    expect(bodies.open(1).take(1)).toMatchObject({ code: "bodies-limited" });
    expect(bodies.open(2).take(1)).toMatchObject({ code: "bodies-full" });
    share.release();
    expect(bodies.held).toBe(0);
  });

  it("keeps nothing of a refused body", () => {
    const bodies = new BodyBytes(400);
    const share = bodies.open(1);
    const other = bodies.open(1);
    expect(other.take(90)).toBeUndefined();
    expect(share.take(90)).toMatchObject({ code: "bodies-limited" });
    share.release();
    expect(bodies.held).toBe(90);
    other.release();
    expect(bodies.held).toBe(0);
  });

  it("counts kept bytes beyond the client's connection, and bytes that are fetched meanwhile", () => {
    const bodies = new BodyBytes(400);
    const share = bodies.open(1);
    expect(share.take(30)).toBeUndefined();
    const giveBack = share.keep();
    share.release();
    expect(bodies.held).toBe(30);
    expect(share.take(50)).toBeUndefined();
    expect(bodies.open(1).take(40)).toMatchObject({ code: "bodies-limited" });
    giveBack();
    giveBack();
    expect(bodies.held).toBe(0);
  });

  it("keeps an answered request's body until its connection is closed, too", () => {
    const bodies = new BodyBytes(400);
    const share = bodies.open(1);
    expect(share.take(30)).toBeUndefined();
    share.keep()();
    expect(bodies.held).toBe(30);
    share.release();
    expect(bodies.held).toBe(0);
  });

  it("counts the bytes held for answers: further requests of the user are refused, other users' are not (S20)", () => {
    const bodies = new BodyBytes(400);
    const share = bodies.open(1);
    expect(share.take(30)).toBeUndefined();
    expect(share.hold(70)).toBe(true);
    expect(bodies.held).toBe(100);
    expect(bodies.open(1).take(1)).toMatchObject({ code: "bodies-limited" });
    expect(bodies.open(2).take(100)).toBeUndefined();
    expect(share.hold(71)).toBe(false);
    expect(share.hold(0)).toBe(true);
    expect(bodies.open(1).take(1)).toBeUndefined();
    share.hold(50);
    share.release();
    expect(bodies.held).toBe(101);
    expect(share.hold(1000)).toBe(true);
    expect(bodies.held).toBe(101);
  });

  it("lets a user keep the bytes that a charge needs, however much others hold (M17)", () => {
    const bodies = new BodyBytes(25_600);
    for (const other of [1, 2, 3, 4]) expect(bodies.open(other).take(6400)).toBeUndefined();
    const share = bodies.open(5);
    expect(share.hold(100)).toBe(true);
    expect(share.hold(101)).toBe(false);
    expect(bodies.open(1).hold(1)).toBe(false);
  });

  it("refuses bytes for a finished request, which would never be released", () => {
    const bodies = new BodyBytes(400);
    const share = bodies.open(1);
    share.release();
    expect(share.take(1)).toMatchObject({ code: "bodies-full" });
    expect(bodies.held).toBe(0);
  });
});
