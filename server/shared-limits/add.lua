-- Requests and tokens were used. KEYS: the minute of one subject. ARGV: requests, tokens (below 0: given back), and the start (ms)
-- of the only minute in which they count (0: the one that is running).
local requests, tokens, only = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local had_requests, had_tokens, start = turn_minute(KEYS[1], now_ms())
if only == 0 or only == start then
  write_minute(KEYS[1], start, had_requests + requests, math.max(0, had_tokens + tokens))
end
