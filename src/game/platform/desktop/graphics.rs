//! Opens a graphics adapter for the engine, on another thread while files are read. The engine would look for one only
//! later, and would panic without one.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use bevy::render::renderer::{RenderAdapter, RenderAdapterInfo, RenderInstance, RenderQueue, WgpuWrapper};
use bevy::render::settings::{RenderCreation, RenderResources, WgpuSettings};
use bevy::tasks::block_on;
use tracing::{debug, warn};
use wgpu::util::initialize_adapter_from_env;
use wgpu::{
    Adapter, Backends, DeviceDescriptor, DeviceType, Instance, InstanceDescriptor, MemoryHints, RequestAdapterError,
    RequestAdapterOptions,
};

use crate::game::platform::error::WindowError;

/// The smallest and the largest size of the blocks in which graphics memory is allocated. A large block would keep the
/// memory of images that are gone; the minimum is 4 MiB.
const BLOCK_SIZES: Range<u64> = 4 << 20..4 << 20;

/// A graphics adapter that is being opened. If this is dropped, it waits for the thread: a program that ends while its
/// graphics driver is being loaded can crash.
#[derive(Debug)]
pub(in crate::game) struct GraphicsThread(Option<JoinHandle<Result<RenderResources, WindowError>>>);

impl GraphicsThread {
    pub(in crate::game) fn start() -> Self {
        Self(Some(thread::spawn(|| block_on(open()))))
    }

    /// Waits until the adapter is open.
    ///
    /// # Errors
    /// There is no adapter, or it cannot be opened.
    pub(in crate::game) fn finish(mut self) -> Result<RenderCreation, WindowError> {
        let thread = self.0.take().ok_or(WindowError::NoAdapter)?;
        thread.join().unwrap_or_else(|panic| resume_unwind(panic)).map(RenderCreation::from)
    }
}

impl Drop for GraphicsThread {
    fn drop(&mut self) {
        if let Some(thread) = self.0.take() {
            // Nobody wants the result any more.
            let _ = thread.join();
        }
    }
}

/// Opens the adapter that the engine would choose, with the same environment variables.
async fn open() -> Result<RenderResources, WindowError> {
    let settings = WgpuSettings::default();
    let instance = Instance::new(InstanceDescriptor {
        backends: settings.backends.unwrap_or(Backends::all()),
        flags: settings.instance_flags,
        ..InstanceDescriptor::new_without_display_handle_from_env()
    });
    let adapter = find_adapter(&instance, &settings).await.map_err(|_| WindowError::NoAdapter)?;
    let info = adapter.get_info();
    debug!("{info:?}");
    if info.device_type == DeviceType::Cpu {
        // Not an error of this program or its files, so not logged under its name.
        warn!(target: "graphics", "{} draws on the processor, which is slow; is a driver missing?", info.name);
    }
    let descriptor = DeviceDescriptor {
        // No features besides these: for some, the engine would compile pipelines that are never used here.
        required_features: settings.features & adapter.features(),
        required_limits: adapter.limits(),
        memory_hints: MemoryHints::Manual { suballocated_device_memory_block_size: BLOCK_SIZES },
        ..DeviceDescriptor::default()
    };
    let (device, queue) = adapter
        .request_device(&descriptor)
        .await
        .map_err(|error| WindowError::BrokenAdapter(info.name.clone(), error.to_string()))?;
    Ok(RenderResources(
        device.into(),
        RenderQueue(Arc::new(WgpuWrapper::new(queue))),
        RenderAdapterInfo(WgpuWrapper::new(info)),
        RenderAdapter(Arc::new(WgpuWrapper::new(adapter))),
        RenderInstance(Arc::new(WgpuWrapper::new(instance))),
    ))
}

/// Finds the adapter that `WGPU_ADAPTER_NAME` names, or else the fastest one.
async fn find_adapter(instance: &Instance, settings: &WgpuSettings) -> Result<Adapter, RequestAdapterError> {
    if let Ok(named) = initialize_adapter_from_env(instance, None).await {
        return Ok(named);
    }
    let options = RequestAdapterOptions { power_preference: settings.power_preference, ..Default::default() };
    instance.request_adapter(&options).await
}
