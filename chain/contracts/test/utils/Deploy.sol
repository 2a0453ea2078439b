// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "./Vm.sol";

/// @dev Deploys a contract under test: with SHIPPED=true from artifacts/, otherwise from the test
/// build.
function deploy(string memory name, bytes memory arguments) returns (address) {
    if (vm.envOr("SHIPPED", false)) {
        return create(string.concat("artifacts/", name, ".json"), arguments);
    }
    return create(string.concat(name, ".sol:", name), arguments);
}

/// @dev Works like `new`: propagates a constructor's revert and leaves no memory allocated.
function create(string memory artifact, bytes memory arguments) returns (address deployed) {
    uint256 free;
    assembly ("memory-safe") {
        free := mload(0x40)
    }
    bytes memory code = abi.encodePacked(vm.getCode(artifact), arguments);
    assembly ("memory-safe") {
        deployed := create(0, add(code, 32), mload(code))
        mstore(0x40, free)
        if iszero(deployed) {
            returndatacopy(free, 0, returndatasize())
            revert(free, returndatasize())
        }
    }
}
