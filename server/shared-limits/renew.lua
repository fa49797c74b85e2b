-- Requests of a node are still under way. KEYS: those of one subject. ARGV: how long they are kept (ms), the requests.
local now = now_ms()
for index = 2, #ARGV do
  keep_under_way(KEYS[1], ARGV[index], now, tonumber(ARGV[1]))
end
