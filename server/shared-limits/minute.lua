-- What one key, user or group uses in the minute that is running: a hash of `start` (ms), `requests` and `tokens`, with the rules
-- of relay/limits/minute-meter.ts.
local MINUTE_MS = 60000
-- Longer than the minute that it counts: past it, a new hash would say the same.
local MINUTE_TTL_MS = 2 * MINUTE_MS

local function digits(number)
  return string.format("%.0f", number)
end

local function minute_start(now)
  return now - now % MINUTE_MS
end

local function write_minute(key, start, requests, tokens)
  redis.call("HSET", key, "start", digits(start), "requests", digits(requests), "tokens", digits(tokens))
  redis.call("PEXPIRE", key, MINUTE_TTL_MS)
end

-- Begins a new minute where the last one is over. Returns its requests, its tokens and its start.
local function turn_minute(key, now)
  local fields = redis.call("HMGET", key, "start", "requests", "tokens")
  local start = minute_start(now)
  if not fields[1] then
    return 0, 0, start
  end
  local before, requests, tokens = tonumber(fields[1]), tonumber(fields[2]), tonumber(fields[3])
  if before == start then
    return requests, tokens, start
  end
  -- A clock that is set back must not make a minute's room once more.
  if before < start then
    requests, tokens = 0, 0
  end
  write_minute(key, start, requests, tokens)
  return requests, tokens, start
end
