-- What nodes have spent of budgets: a hash of each period of a subject, with what each node has spent since it began,
-- and `before`, what storage said when the one of them began that began first. Said twice it counts once.
-- KEYS: periods of subjects. ARGV: the node, and of each key how long it is kept (ms), what storage said when the node
-- began, and what it has spent since. Returns the sum of each key.
local node = ARGV[1]
local totals = {}
for index = 1, #KEYS do
  local key, keep_ms = KEYS[index], ARGV[3 * index - 1]
  local before, own = ARGV[3 * index], ARGV[3 * index + 1]
  local known = redis.call("HGET", key, "before")
  if not known or tonumber(before) < tonumber(known) then
    redis.call("HSET", key, "before", before)
  end
  redis.call("HSET", key, node, own)
  redis.call("PEXPIRE", key, keep_ms)
  local total = 0
  for _, spent in ipairs(redis.call("HVALS", key)) do
    total = total + tonumber(spent)
  end
  -- JavaScript has no larger number that is exact.
  totals[index] = digits(math.min(total, 9007199254740991))
end
return totals
