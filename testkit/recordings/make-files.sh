#!/bin/sh
# Makes the honest recordings in files/. Needs ffmpeg 5.1 and sox with all formats (Debian: ffmpeg, sox, libsox-fmt-all).
# Afterwards record what the decoder finds in them and their mutants:
#   RECORD_LENGTHS=yes npx vitest run --project unit protocols/openai-operations/recording-length/mutants.test.ts
set -e
cd "$(dirname "$0")/files"
make() { ffmpeg -hide_banner -loglevel error -y -i "$SOURCE" -bitexact "$@"; }
SOURCE=$(mktemp --suffix=.wav)
ffmpeg -hide_banner -loglevel error -y -f lavfi -i \
  "aevalsrc='0.4*sin(2*PI*(150+100*sin(2*PI*2*t))*t)*(0.5+0.5*sin(2*PI*1.3*t))+0.01*random(0)':s=16000:d=2.2" "$SOURCE"
make -ar 8000 -c:a pcm_u8 plain.wav
make -ar 8000 -ac 2 -c:a pcm_s24le -t 0.6 extensible.wav
make -ar 8000 -c:a pcm_mulaw mulaw.wav
make -ar 8000 -c:a adpcm_ms adpcm-ms.wav
make -ar 8000 -c:a adpcm_ima_wav adpcm-ima.wav
make -ar 8000 -c:a libgsm_ms gsm.wav
make -ar 8000 -c:a libmp3lame -b:a 16k mp3.wav
make -ar 8000 -c:a pcm_u8 -rf64 always rf64.wav
make -ar 8000 -c:a pcm_u8 plain.w64
make -ar 8000 plain.flac
make -ar 16000 -c:a libmp3lame -b:a 16k constant.mp3
make -ar 16000 -c:a libmp3lame -q:a 9 variable.mp3
make -ar 16000 -c:a mp2 -b:a 16k layer-2.mp2
make -ar 16000 -c:a aac -b:a 16k adts.aac
make -c:a libopus -b:a 8k opus.ogg
make -ar 16000 -c:a libvorbis -q:a 0 vorbis.ogg
make -ar 8000 -c:a libspeex speex.ogg
make -ar 8000 -c:a flac flac.oga
make -ar 16000 -c:a aac -b:a 16k aac.m4a
make -ar 16000 -c:a aac -b:a 16k -movflags frag_keyframe+empty_moov+default_base_moof -frag_duration 500000 aac-fragments.mp4
make -ar 8000 -c:a alac alac.m4a
make -ar 8000 -c:a alac -movflags frag_keyframe+empty_moov -frag_duration 500000 alac-fragments.mp4
make -ar 16000 -c:a libmp3lame -b:a 16k mp3.mp4
make -c:a libopus -b:a 8k -strict -2 opus.mp4
make -ar 8000 -c:a flac -strict -2 flac.mp4
make -ar 8000 -c:a pcm_mulaw mulaw.mov
make -ar 8000 -c:a adpcm_ima_qt ima4.mov
make -ar 32000 -c:a ac3 -b:a 32k ac3.mp4
make -c:a libopus -b:a 8k opus.webm
make -c:a libopus -b:a 8k -live 1 -cluster_time_limit 500 opus-live.webm
make -ar 16000 -c:a libvorbis -q:a 0 vorbis.webm
make -ar 16000 -c:a aac -b:a 16k aac.mka
make -ar 16000 -c:a libmp3lame -b:a 16k mp3.mka
make -ar 8000 -c:a pcm_s16be -t 1 plain.aiff
make -ar 8000 -c:a pcm_s16be -t 1 plain.au
sox "$SOURCE" -r 8000 -t amr-nb narrow.amr
rm "$SOURCE"
