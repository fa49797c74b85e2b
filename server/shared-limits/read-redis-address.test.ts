import { describe, expect, it } from "vitest";
import { readRedisAddress } from "./read-redis-address";

describe("the address of a Redis server", () => {
  it.each([
    ["redis://cache", { host: "cache", port: 6379, db: 0 }],
    ["redis://cache:7000/3", { host: "cache", port: 7000, db: 3 }],
    ["redis://cache/", { host: "cache", port: 6379, db: 0 }],
    ["redis://:p%40ss%2Fword@cache", { host: "cache", password: "p@ss/word" }],
    ["redis://me:secret@10.0.0.9:6380/1", { host: "10.0.0.9", username: "me", password: "secret", db: 1 }],
    ["redis://[::1]:6380", { host: "::1", port: 6380 }],
    ["rediss://cache", { host: "cache", port: 6379, tls: {} }],
    ["/run/redis/socket", { path: "/run/redis/socket" }],
  ])("%s is understood", (text, address) => {
    expect(readRedisAddress(text)).toMatchObject(address);
  });

  it.each([
    "cache:6379",
    "cache",
    "http://cache",
    "redis://",
    "redis:///1",
    "redis://cache/one",
    "redis://cache/1/2",
    "redis://cache:70000",
    "redis://:half%4@cache",
    "redis://cache?db=1",
    "redis://:pass#word@cache",
    "redis://:pass/word@cache",
  ])("%s is none", (text) => {
    expect(readRedisAddress(text)).toBeUndefined();
  });
});
