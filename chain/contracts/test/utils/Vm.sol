// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The cheat codes that the tests use, declared here because Foundry's library is not
/// available on npm.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    struct Gas {
        uint64 gasLimit;
        uint64 gasTotalUsed;
        uint64 gasMemoryUsed;
        int64 gasRefunded;
        uint64 gasRemaining;
    }

    function addr(uint256 key) external pure returns (address);
    function assume(bool condition) external pure;
    function chainId(uint256 id) external;
    function deal(address account, uint256 balance) external;
    function envOr(string calldata name, bool otherwise) external view returns (bool);
    function etch(address account, bytes calldata code) external;
    function expectEmit(address emitter) external;
    function expectRevert() external;
    function expectRevert(bytes4 selector) external;
    function expectRevert(bytes calldata reason) external;
    function getCode(string calldata artifact) external view returns (bytes memory);
    function getRecordedLogs() external returns (Log[] memory);
    function lastCallGas() external view returns (Gas memory);
    function prank(address caller) external;
    function prank(address caller, address origin) external;
    function publicKeyP256(uint256 key) external pure returns (uint256 x, uint256 y);
    function readFile(string calldata path) external view returns (string memory);
    function recordLogs() external;
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function signP256(uint256 key, bytes32 digest) external pure returns (bytes32 r, bytes32 s);
    function toString(uint256 value) external pure returns (string memory);
    function warp(uint256 timestamp) external;
    function writeFile(string calldata path, string calldata data) external;

    function assertEq(address have, address want) external pure;
    function assertEq(bool have, bool want) external pure;
    function assertEq(bytes32 have, bytes32 want) external pure;
    function assertEq(bytes32 have, bytes32 want, string calldata what) external pure;
    function assertEq(uint256 have, uint256 want) external pure;
    function assertEq(uint256 have, uint256 want, string calldata what) external pure;
    function assertLe(uint256 have, uint256 most) external pure;
    function assertLe(uint256 have, uint256 most, string calldata what) external pure;
    function assertTrue(bool condition) external pure;
    function assertTrue(bool condition, string calldata what) external pure;
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

/// @dev Returns the key's signature as 65 bytes: r, s and v.
function signatureOf(uint256 key, bytes32 digest) pure returns (bytes memory) {
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
    return abi.encodePacked(r, s, v);
}

/// @dev Maps `value` into the range [least, most].
function bound(uint256 value, uint256 least, uint256 most) pure returns (uint256) {
    return least + value % (most - least + 1);
}

// Expects that the next call reverts with exactly this error and these arguments.

function expectError(bytes4 selector, uint256 first) {
    vm.expectRevert(abi.encodeWithSelector(selector, first));
}

function expectError(bytes4 selector, address first) {
    vm.expectRevert(abi.encodeWithSelector(selector, first));
}

function expectError(bytes4 selector, uint256 first, uint256 second) {
    vm.expectRevert(abi.encodeWithSelector(selector, first, second));
}

function expectError(bytes4 selector, uint256 first, address second) {
    vm.expectRevert(abi.encodeWithSelector(selector, first, second));
}
