-- A request has ended: the estimate of its tokens makes room for what was charged, in the minute in which it was counted.
-- KEYS: of each subject its minute and its requests under way. ARGV: the request, its tokens, the start of that minute (ms), and 1
-- where the request itself is not to count.
local request, tokens, counted_to, uncounted = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local now = now_ms()
for index = 1, #KEYS, 2 do
  redis.call("ZREM", KEYS[index + 1], request)
  local requests, used, start = turn_minute(KEYS[index], now)
  if start == counted_to then
    write_minute(KEYS[index], start, math.max(0, requests - uncounted), math.max(0, used - tokens))
  end
end
