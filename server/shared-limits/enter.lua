-- Lets a request in and counts it for all of its subjects, or says which of them refuses, and counts it for none.
-- KEYS: of each subject its minute and its requests under way.
-- ARGV: the request, its tokens, how long it is kept (ms), which subject refuses in any case (0: none), and of each subject its
-- limits: requests, tokens, concurrency (-1: none).
-- Returns now (ms), which subject refused (0: none), why (0: in any case, 1: requests, 2: tokens, 3: concurrency), the start of the
-- minute to which it was counted, and of each subject its requests and tokens.
local request, tokens, keep_ms, barred = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local now = now_ms()
local subjects = #KEYS / 2
local refused, why = 0, 0
local uses = {}

local function within(limit, used)
  return limit < 0 or used <= limit
end

for subject = 1, subjects do
  local minute, under_way = KEYS[2 * subject - 1], KEYS[2 * subject]
  local first = 5 + 3 * (subject - 1)
  local requests, used = turn_minute(minute, now)
  uses[2 * subject - 1], uses[2 * subject] = requests, used
  if refused == 0 then
    if subject == barred then
      refused = subject
    elseif not within(tonumber(ARGV[first]), requests + 1) then
      refused, why = subject, 1
    elseif not within(tonumber(ARGV[first + 1]), used + tokens) then
      refused, why = subject, 2
    elseif not within(tonumber(ARGV[first + 2]), count_under_way(under_way, now) + 1) then
      refused, why = subject, 3
    end
  end
end

local start = minute_start(now)
if refused == 0 then
  for subject = 1, subjects do
    local requests, used = uses[2 * subject - 1] + 1, uses[2 * subject] + tokens
    uses[2 * subject - 1], uses[2 * subject] = requests, used
    write_minute(KEYS[2 * subject - 1], start, requests, used)
    keep_under_way(KEYS[2 * subject], request, now, keep_ms)
  end
end
return { now, refused, why, start, unpack(uses) }
