-- What subjects use now. KEYS: of each subject its minute and its requests under way.
-- Returns of each subject its requests, its tokens and how many requests are under way.
local now = now_ms()
local uses = {}
for index = 1, #KEYS, 2 do
  local requests, tokens = turn_minute(KEYS[index], now)
  uses[#uses + 1], uses[#uses + 2] = requests, tokens
  uses[#uses + 1] = count_under_way(KEYS[index + 1], now)
end
return uses
