"""Publishes a test picture and a tone over WHIP with GStreamer's webrtcbin: gstreamer.py URL TOKEN vp8|h264"""

import sys
import urllib.request

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstSdp", "1.0")
gi.require_version("GstWebRTC", "1.0")
from gi.repository import GLib, Gst, GstSdp, GstWebRTC

url, token, codec = sys.argv[1:]
ENCODERS = {
    "vp8": "vp8enc deadline=1 target-bitrate=100000 keyframe-max-dist=30 ! rtpvp8pay picture-id-mode=15-bit ! "
    "application/x-rtp,media=video,encoding-name=VP8,payload=96",
    "h264": "x264enc tune=zerolatency speed-preset=veryfast bitrate=100 key-int-max=30 ! "
    "video/x-h264,profile=constrained-baseline ! rtph264pay config-interval=-1 aggregate-mode=zero-latency ! "
    "application/x-rtp,media=video,encoding-name=H264,payload=96",
}
Gst.init(None)
pipeline = Gst.parse_launch(
    "webrtcbin name=rtc bundle-policy=max-bundle "
    "audiotestsrc is-live=true volume=0.2 ! audioconvert ! audioresample ! opusenc bitrate=24000 ! rtpopuspay ! "
    "application/x-rtp,media=audio,encoding-name=OPUS,payload=111 ! rtc. "
    "videotestsrc is-live=true pattern=ball ! video/x-raw,width=320,height=180,framerate=10/1 ! videoconvert ! "
    f"{ENCODERS[codec]} ! rtc."
)
rtc = pipeline.get_by_name("rtc")


def offer(*_):
    rtc.emit("create-offer", None, Gst.Promise.new_with_change_func(offered))


def offered(promise):
    # The description ends with the reply, and the reply with the promise.
    reply = promise.get_reply()
    description = reply.get_value("offer")
    rtc.emit("set-local-description", description, Gst.Promise.new())


def gathered(*_):
    if rtc.get_property("ice-gathering-state") != GstWebRTC.WebRTCICEGatheringState.COMPLETE:
        return
    sdp = rtc.get_property("local-description").sdp.as_text()
    request = urllib.request.Request(
        url,
        sdp.encode(),
        {"content-type": "application/sdp", "authorization": f"Bearer {token}"},
    )
    answer = urllib.request.urlopen(request).read()
    _, message = GstSdp.SDPMessage.new()
    GstSdp.sdp_message_parse_buffer(answer, message)
    description = GstWebRTC.WebRTCSessionDescription.new(GstWebRTC.WebRTCSDPType.ANSWER, message)
    rtc.emit("set-remote-description", description, Gst.Promise.new())


for transceiver in (rtc.emit("get-transceiver", index) for index in range(2)):
    transceiver.set_property("direction", GstWebRTC.WebRTCRTPTransceiverDirection.SENDONLY)
rtc.connect("on-negotiation-needed", offer)
rtc.connect("notify::ice-gathering-state", gathered)
pipeline.set_state(Gst.State.PLAYING)
GLib.MainLoop().run()
