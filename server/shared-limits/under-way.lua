-- Requests under way of one key, user or group: a sorted set of them, each with the time (ms) at which it is forgotten unless its
-- node renews it.
local function count_under_way(key, now)
  redis.call("ZREMRANGEBYSCORE", key, "-inf", digits(now))
  return redis.call("ZCARD", key)
end

local function keep_under_way(key, request, now, keep_ms)
  redis.call("ZADD", key, digits(now + keep_ms), request)
  redis.call("PEXPIRE", key, keep_ms)
end
